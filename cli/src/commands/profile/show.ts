import { showCommand } from '../../lib/resource-commands.js'
import { readableProfile } from '../../resources/profile.js'

export default showCommand('/profile', {
  summary: 'Show a workspace’s title, credit and limits',
  examples: ['profile show --workspace acme'],
  readable: readableProfile,
})
