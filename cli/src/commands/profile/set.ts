import { text } from '../../lib/fields.js'
import { setCommand } from '../../lib/resource-commands.js'
import { readableProfile } from '../../resources/profile.js'

export default setCommand('/profile', {
  summary: 'Change a workspace’s title or country',
  examples: ['profile set --workspace acme --title "Acme Inc."'],
  fields: {
    title: text('title', 'name that people read'),
    country: text('country_code', 'two-letter country code', { helpValue: '<US>' }),
  },
  readable: readableProfile,
})
