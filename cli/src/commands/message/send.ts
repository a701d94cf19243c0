import { list, text } from '../../lib/fields.js'
import { createCommand } from '../../lib/resource-commands.js'

export default createCommand('/messages/send', {
  summary: 'Send an SMS or MMS',
  description: 'The message is queued when this returns; `message show` has its delivery status.',
  examples: [
    'message send --workspace acme --from +12025550199 --to +12025550142 --body "Your order is ready"',
    'message send --workspace acme --from +12025550199 --to +12025550142 --body "" --media https://example.com/map.png',
  ],
  fields: {
    from: text('from', 'number of the workspace in E.164', { ask: 'From' }),
    to: text('to', 'number in E.164', { ask: 'To' }),
    body: text('body', 'the text', { ask: 'Text' }),
    media: list('media_urls', 'public URLs of pictures or audio that go with it'),
  },
  message: ({ id, to, status, segments }) =>
    `${id} to ${to} is ${status}${segments > 1 ? `, as ${String(segments)} SMS` : ''}.`,
})
