import { text, yesNo } from '../lib/fields.js'

/** Fields of a rate deck. */
export const rateDeckFields = {
  title: text('title', 'name that people read', { ask: 'Title' }),
  default: yesNo('is_default', 'it holds for all workspaces where their own deck has no rate'),
}
