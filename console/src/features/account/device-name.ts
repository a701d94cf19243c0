/** Human-readable name of a device that the API knows by an id. */
import { textOf } from '../../i18n/texts'
import { accountTexts } from './texts'

export function nameOf({
  device_id,
  device_model,
}: {
  device_id: string
  device_model?: string | null
}): string {
  if (device_model) return device_model
  // The format of the console's ids (session/session.ts).
  return device_id.startsWith('browser-') ? textOf(accountTexts, 'browser') : device_id
}
