import { list, optionalText, yesNo } from '../../../lib/fields.js'
import { setCommand } from '../../../lib/resource-commands.js'

export default setCommand('/message-settings', {
  summary: 'Change the words by which clients opt out, the answers to them, and how texts are written',
  description:
    'The words hold in addition to STOP, START, HELP and the same in other languages. {{number}} in an answer is the number that sends it. none brings the usual answer back; an empty text sends no answer.',
  examples: [
    'message settings set --workspace acme --stop-words "no more,no mas" --stop-reply "You are off the list of {{number}}."',
    'message settings set --workspace acme --help-reply none',
  ],
  fields: {
    'stop-words': list('stop_words', 'words by which clients opt out'),
    'start-words': list('start_words', 'words by which clients opt in again'),
    'help-words': list('help_words', 'words by which clients ask for help'),
    'stop-reply': optionalText('stop_reply', 'answer to a client who opts out'),
    'start-reply': optionalText('start_reply', 'answer to a client who opts in again'),
    'help-reply': optionalText('help_reply', 'answer to a client who asks for help'),
    'look-alikes': yesNo(
      'replace_look_alikes',
      'whether quotes, dashes and spaces that the GSM-7 alphabet lacks are sent as plain ones',
    ),
  },
})
