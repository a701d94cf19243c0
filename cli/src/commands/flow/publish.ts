import { yesNo } from '../../lib/fields.js'
import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/call-flows/{id}/publish', {
  summary: 'Publish the draft of a call flow',
  description: 'New calls run it; live calls keep their nodes.',
  examples: ['flow publish cf_01 --workspace acme'],
  fields: {
    overwrite: yesNo(
      'overwrite',
      'whether it replaces a version that is newer than the one it was made from',
    ),
  },
  message: ({ id, version }) => `New calls run version ${String(version)} of ${id}.`,
})
