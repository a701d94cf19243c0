import { fileImportCommand } from '../../import/file-import-command.js'

export default fileImportCommand('/contacts/import', {
  summary: 'Import the contacts of a CSV file',
  description:
    'Columns: name, numbers (several with semicolons between them), and where wanted email, notes, custom_fields (JSON), address_book_id. A contact is known by its first number.',
  examples: [
    'contact import contacts.csv --workspace acme --dry-run',
    'contact import contacts.csv --workspace acme --update --skip-faulty',
  ],
})
