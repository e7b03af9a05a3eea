import type { Plugin } from '../../bridge'
import type { IconName } from '../../components'

export type PluginState = 'paused' | 'waits' | 'update' | 'disabled' | 'enabled'

// stateOf is how a plug-in stands, what a person must act upon first.
export function stateOf(p: Plugin): PluginState {
  if (p.pending && !p.approved) return 'waits'
  if (p.disabled) return 'disabled'
  if (p.paused) return 'paused'
  if (p.pending) return 'update'
  return p.approved || p.built_in ? 'enabled' : 'waits'
}

export const stateIcons: Record<PluginState, IconName> = {
  paused: 'pause',
  waits: 'shield',
  update: 'shield',
  disabled: 'close',
  enabled: 'check',
}

export const stateTones = {
  paused: 'bad',
  waits: 'warn',
  update: 'warn',
  disabled: 'plain',
  enabled: 'good',
} as const

// callable says whether it can be used.
export function callable(p: Plugin): boolean {
  return (p.approved || p.built_in) && !p.disabled
}
