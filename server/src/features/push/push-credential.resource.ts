/** Push credentials, as the API has them. */
import { invalidField } from '../../infrastructure/http/errors.js'
import { listQuery } from '../../infrastructure/http/lists.js'
import { resource } from '../../infrastructure/resources/resource.js'
import { PushCredential } from './push-credential.entity.js'
import { CreatePushCredential, PushCredentialShape, UpdatePushCredential } from './push-credential.schema.js'

const taken = { 409: 'The API key has a credential for this platform' }

export const pushCredentialResource = resource({
  ...{ path: '/push-credentials', noun: 'push credential', tag: 'Push credentials' },
  ...{ id: 'pc', table: PushCredential, search: ['name'], hidden: ['private_key'] },
  taken: ({ api_key_sid, platform }) =>
    `The API key ${api_key_sid} has a push credential for ${platform} already`,
  missing: () => invalidField('api_key_sid', 'api_key_sid is not an API key of this workspace'),
  shape: PushCredentialShape,
  list: { query: listQuery({ limit: 20, sort: ['created_at', 'name'], search: 'Looks at the name' }) },
  show: {},
  create: {
    body: CreatePushCredential,
    description:
      'ios takes all `ios_…` fields; android takes `android_service_account` and, better, `android_package_name`. Keys are kept encrypted and never shown.',
    errors: taken,
  },
  update: {
    body: UpdatePushCredential,
    summary: 'Change a push credential or its key',
    description: 'A new key holds from the next push on.',
    errors: taken,
  },
  delete: {},
})
