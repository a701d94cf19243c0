import { list, text } from '../lib/fields.js'

export const addressBookFields = {
  title: text('title', 'name that people read', { ask: 'Title' }),
  teams: list('shared_teams_id', 'teams whose agents read it; all agents without', {
    helpValue: '<te_…,te_…>',
  }),
}
