import { fileImportCommand } from '../../import/file-import-command.js'

export default fileImportCommand('/opt-outs/import', {
  summary: 'Import the opt-outs of a CSV file',
  description:
    'Columns: client_number, and phone_number_id: the number that sends them nothing more, or its id.',
  examples: ['opt-out import opt-outs.csv --workspace acme'],
})
