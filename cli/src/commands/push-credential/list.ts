import { listCommand } from '../../lib/list-command.js'

export default listCommand('/push-credentials', {
  summary: 'List push credentials',
  examples: ['push-credential list --workspace acme'],
  shown: ['id', 'name', 'platform', 'api_key_sid', 'app'],
  hidden: [
    ...(['ios_key_id', 'ios_team_id', 'ios_environment', 'android_project_id'] as const),
    ...(['android_client_email', 'key_fingerprint', 'created_at', 'updated_at'] as const),
  ],
  cells: { app: ({ ios_bundle_id, android_package_name }) => ios_bundle_id ?? android_package_name },
  search: 'names',
  sortFields: ['created_at', 'name'],
})
