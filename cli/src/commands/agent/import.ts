import { importCommand } from '../../import/import-command.js'

export default importCommand('/agents', {
  summary: 'Create the agents of a CSV file',
  description:
    'Columns: username, password, display_name, and where wanted email, role (member, leader or supervisor), country_code, is_active, is_admin, avatar (an address).',
  examples: [
    'agent import agents.csv --workspace acme --dry-run',
    'agent import agents.csv --workspace acme --set country_code=US --json',
  ],
  list: '/agents',
  keyOf: ({ username = '' }) => String(username),
  keyOfExisting: ({ username }) => username,
  idOf: ({ id }) => id,
  idOfExisting: ({ id }) => id,
  searchBy: 'username',
  unique: ['email'],
  limit: 'agents',
})
