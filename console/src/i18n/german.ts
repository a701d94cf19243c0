/** German, as one chunk that only those load who read it. */
import 'dayjs/locale/de.js'
import type { TextFile } from './tables'

export default import.meta.glob<TextFile>('/src/**/locales/de.json', { eager: true, import: 'default' })
