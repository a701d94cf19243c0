import { choice } from '../../lib/fields.js'
import { createCommand } from '../../lib/resource-commands.js'
import { pushCredentialFields } from '../../resources/push-credential.js'

export default createCommand('/push-credentials', {
  summary: 'Create a push credential, which wakes an app when a call comes in',
  examples: [
    'push-credential create --workspace acme --name Phone --api-key sid-0123 --platform ios --ios-key-file AuthKey.p8 --ios-key-id ABCDE12345 --ios-team-id TEAM123456 --ios-bundle-id com.example.phone --ios-environment production',
    'push-credential create --workspace acme --name Phone --api-key sid-0123 --platform android --android-account-file service-account.json --android-package com.example.phone',
  ],
  fields: {
    platform: choice('platform', 'whose push service', ['ios', 'android'], { ask: 'Platform' }),
    ...pushCredentialFields,
  },
})
