import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/signing-secret/rotate', {
  summary: 'Make a new secret that callbacks are signed with, which is shown this once',
  description: 'Callbacks are what a call asks of your own server, in a call flow or after ivr.',
  examples: ['signing-secret rotate --workspace acme'],
})
