import { fileImportCommand } from '../../import/file-import-command.js'

export default fileImportCommand('/extensions/import', {
  summary: 'Import the extensions of a CSV file',
  description:
    'Columns: extension_number, title, destination, and the one of agent_id (or username), team_id, sip_account_id (or username) and voice_agent_id that it needs.',
  examples: ['extension import extensions.csv --workspace acme --dry-run'],
})
