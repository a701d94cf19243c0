import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/opt-outs/{phone_number_id}/{client_number}', {
  summary: 'Remove an opt-out',
  description: 'Only at the client’s request: carriers and the law require it.',
  examples: ['opt-out remove pn_01 +12025550199 --workspace acme --yes'],
  args: { phone_number_id: 'number that may send again', client_number: 'the client’s number in E.164' },
  verb: 'Remove',
  question: (client) => `Send messages to ${client} again?`,
})
