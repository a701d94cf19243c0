/** What people call a device that is named to the API by an id. */
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
  // As session/session.ts names this console's browsers.
  return device_id.startsWith('browser-') ? textOf(accountTexts, 'browser') : device_id
}
