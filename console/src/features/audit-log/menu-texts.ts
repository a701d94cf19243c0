/** What the menu says: it is there before the page is. */
import { defineTexts } from '../../i18n/texts'

export const auditLogMenuTexts = defineTexts('audit-log-menu', {
  en: { title: 'Audit log' },
  de: { title: 'Änderungsprotokoll' },
})
