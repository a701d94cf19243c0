/** Teams, as the managers of a workspace have them. */
import { resource } from '../../infrastructure/resources/resource.js'
import { Team } from './team.entity.js'
import { CreateTeam, TeamList, TeamShape, UpdateTeam } from './team.schema.js'

const taken = { 409: 'The name exists in the workspace' }

export const teamResource = resource({
  ...{ path: '/teams', noun: 'team', tag: 'Teams' },
  ...{ id: 'te', table: Team, search: ['title'], fields: { title: 'name' }, guarded: 'team' },
  taken: (row) => `The team ${row.title} exists in this workspace already`,
  shape: TeamShape,
  list: { query: TeamList },
  show: {},
  create: { body: CreateTeam, summary: 'Add a team', errors: taken },
  update: { body: UpdateTeam, summary: 'Rename a team', errors: taken },
  delete: { summary: 'Delete a team with its memberships', errors: { 409: 'The team is in use' } },
})
