import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'
import { csp } from './build/csp.ts'

export default defineConfig({
  plugins: [svelte(), svelteTesting(), csp()],
  build: {
    target: ['safari16', 'chrome110'],
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined assets would need data: in more places of the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { port: 5173, strictPort: true },
  test: {
    environment: 'jsdom',
    globals: true,
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.ts', 'build/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
  },
})
