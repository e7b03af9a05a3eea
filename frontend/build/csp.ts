import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

const inline = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

// policy gives the content security policy of a page. Only scripts that come
// with the program run; nothing is loaded from elsewhere, and nothing is sent.
//
// Styles need no 'unsafe-inline' in a built page: what libraries position they
// position through the CSSOM, and the diff view lives in a shadow root with
// constructed style sheets. Vite's dev server alone puts <style> elements in.
// Pictures are the icons of style sheets, and the font comes with the program; a
// connection is the one to the program that a build for development has.
export function policy(html: string, dev: boolean): string {
  const hashes = [...html.matchAll(inline)].map(
    (m) =>
      `'sha256-${createHash('sha256')
        .update(m[1] ?? '')
        .digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    dev ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    'img-src data:',
    "font-src 'self'",
    dev ? "connect-src 'self' ws://localhost:* ws://127.0.0.1:*" : "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
  ].join('; ')
}

// csp writes the policy into the page as its first element after the charset,
// and into a file of its own, which the program sends as a header with all that
// it serves: only a header can say who may frame the page.
export function csp(): Plugin {
  let dev = false
  let page = ''
  return {
    name: 'recollect-csp',
    configResolved(config) {
      dev = config.command === 'serve' && !config.isProduction
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        page = policy(html, dev)
        const meta = `<meta http-equiv="Content-Security-Policy" content="${page}" />`
        return html.replace('<meta charset="utf-8" />', `<meta charset="utf-8" />\n    ${meta}`)
      },
    },
    generateBundle: {
      order: 'post',
      handler() {
        if (!page) throw new Error('the page has no policy')
        const source = `${page}; frame-ancestors 'none'\n`
        this.emitFile({ type: 'asset', fileName: 'policy.txt', source })
      },
    },
  }
}
