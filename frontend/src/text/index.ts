// All words that the app shows. Another language is another folder beside en/
// with the same shape.

import * as branch from './en/branch'
import { conflicts } from './en/conflicts'
import { dashboard } from './en/dashboard'
import { firstrun } from './en/firstrun'
import { general } from './en/general'
import { injection } from './en/injection'
import { memory } from './en/memory'
import { model } from './en/model'
import { plugins } from './en/plugins'
import { projects } from './en/projects'
import { review } from './en/review'
import { settings } from './en/settings'
import { shell } from './en/shell'
import { status } from './en/status'
import { trust } from './en/trust'

export const text = {
  branch,
  general,
  shell,
  status,
  projects,
  memory,
  review,
  conflicts,
  injection,
  model,
  plugins,
  dashboard,
  settings,
  firstrun,
  trust,
}

export type Text = typeof text
