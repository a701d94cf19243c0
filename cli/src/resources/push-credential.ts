import { choice, text } from '../lib/fields.js'
import { fileText } from '../lib/file-fields.js'

/** Fields of a push credential for either platform; keys are read from files and never shown again. */
export const pushCredentialFields = {
  name: text('name', 'name that people read', { ask: 'Name' }),
  'api-key': text('api_key_sid', 'sid of the API key whose tokens the app has', {
    ask: 'Sid of the API key',
    helpValue: '<sid-…>',
  }),
  'ios-key-file': fileText('ios_private_key', 'key of Apple’s push service (.p8)'),
  'ios-key-id': text('ios_key_id', 'its id, 10 characters'),
  'ios-team-id': text('ios_team_id', 'id of the Apple team, 10 characters'),
  'ios-bundle-id': text('ios_bundle_id', 'bundle id of the app'),
  'ios-environment': choice('ios_environment', 'which of Apple’s services', ['sandbox', 'production']),
  'android-account-file': fileText('android_service_account', 'service account of Firebase (.json)'),
  'android-package': text('android_package_name', 'package of the app'),
}
