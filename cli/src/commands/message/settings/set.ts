import { list, optionalText, yesNo } from '../../../lib/fields.js'
import { setCommand } from '../../../lib/resource-commands.js'

export default setCommand('/message-settings', {
  summary: 'Change the words by which clients opt out, their answers, and how texts are written',
  description:
    'The words hold beside STOP, START, HELP and their like in other languages. {{number}} in an answer is the number that answers; an empty answer sends none.',
  examples: [
    'message settings set --workspace acme --stop-words "no more,no mas" --stop-reply "You are off the list of {{number}}."',
    'message settings set --workspace acme --help-reply none',
  ],
  fields: {
    'stop-words': list('stop_words', 'words by which clients opt out'),
    'start-words': list('start_words', 'words by which clients opt in again'),
    'help-words': list('help_words', 'words by which clients ask for help'),
    'stop-reply': optionalText('stop_reply', 'answer to who has opted out'),
    'start-reply': optionalText('start_reply', 'answer to who has opted in again'),
    'look-alikes': yesNo(
      'replace_look_alikes',
      'whether marks that the GSM-7 alphabet lacks are sent as those that look alike',
    ),
    'help-reply': optionalText('help_reply', 'answer to who asks for help'),
  },
})
