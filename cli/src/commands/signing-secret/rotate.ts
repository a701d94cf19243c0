import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/signing-secret/rotate', {
  summary: 'Replace the secret that signs callbacks; it is shown only once',
  description: 'Callbacks are requests of calls to your own server, from a call flow or after ivr.',
  examples: ['signing-secret rotate --workspace acme'],
})
