/** Menu texts: they load before the page. */
import { defineTexts } from '../../i18n/texts'

export const auditLogMenuTexts = defineTexts('audit-log-menu', {
  en: { title: 'Audit log' },
  de: { title: 'Änderungsprotokoll' },
})
