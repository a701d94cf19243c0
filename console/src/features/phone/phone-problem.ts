/** Error messages of calls. */
import { messageOf } from '../../api/errors'
import { textOf } from '../../i18n/texts'
import { MicrophoneError } from '../../media/microphone'
import { phoneTexts } from './texts'

export function problemOf(error: unknown): string {
  return error instanceof MicrophoneError
    ? textOf(phoneTexts, `microphone_${error.problem}`)
    : messageOf(error)
}
