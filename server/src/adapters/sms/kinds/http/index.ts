import { checkHeaders } from '../../../../infrastructure/http/header-fields.js'
import { carrierKind } from '../../carrier-kind.js'
import { numbersSection } from '../../number-settings.schema.js'
import { settingProblems } from './check-settings.js'
import { HttpLink } from './http-link.js'
import { HttpSettingsShape } from './settings.schema.js'

export const http = carrierKind({
  kind: 'http',
  settings: HttpSettingsShape,
  secrets: ['headers', 'inbound_secret'],
  check(settings, urls) {
    const broken = urls.brokenRule(settings.url)
    if (broken) return [{ field: 'url', problem: `must ${broken}` }]
    checkHeaders('settings.headers', settings.headers)
    return settingProblems(settings)
  },
  connect: ({ headers, inbound_secret: _, ...settings }, { window, network, holder }) =>
    new HttpLink({ settings, secrets: { headers }, window, network, holder }),
  form: {
    first: ['url', 'body', 'message_id'],
    examples: { body: '{"to": "{{to}}", "from": "{{from}}", "text": "{{body}}"}', message_id: '/id' },
    sections: [
      {
        title: 'request',
        fields: [
          { name: 'url', editor: 'url' },
          { name: 'method', words: 'verbatim' },
          { name: 'body', editor: 'text' },
          { name: 'content_type', words: 'verbatim' },
          'timeout_seconds',
          { name: 'encodings.gsm7', label: 'encodingGsm7', hint: 'encodingHint', required: false },
          { name: 'encodings.ucs2', label: 'encodingUcs2', hint: 'encodingHint', required: false },
          'media',
        ],
      },
      { title: 'headers', fields: [{ name: 'headers', editor: 'headers' }] },
      numbersSection(),
      {
        title: 'answer',
        fields: [
          ...['message_id', 'success_statuses'],
          { name: 'success_value.pointer', label: 'successPointer' },
          { name: 'success_value.values', label: 'successValues' },
          ...['error_code', 'error_message'],
        ],
      },
      { title: 'refusals', hint: 'refusalsHintHttp', fields: ['refusals'] },
      {
        title: 'inbound',
        hint: 'pointersHint',
        fields: [
          ...['inbound_auth', 'inbound_secret'],
          { name: 'inbound.from', label: 'pointerFrom' },
          { name: 'inbound.to', label: 'pointerTo' },
          { name: 'inbound.body', label: 'pointerBody' },
          { name: 'inbound.id', label: 'pointerId' },
          { name: 'inbound.media', label: 'mediaPointers' },
          { name: 'inbound.items', label: 'itemsTexts', hint: 'itemsHint' },
          ...['inbound.charset', 'inbound.part_reference', 'inbound.part', 'inbound.parts'],
        ],
      },
      {
        title: 'receipts',
        fields: [
          { name: 'receipts.id', label: 'pointerId' },
          { name: 'receipts.status', label: 'pointerStatus' },
          { name: 'receipts.message_id', label: 'ownId' },
          { name: 'receipts.to', label: 'pointerTo' },
          { name: 'receipts.items', label: 'itemsReceipts', hint: 'itemsHint' },
          ...['receipts.error_code', 'receipts.error_message'],
          { name: 'receipts.statuses', label: 'words' },
        ],
      },
      {
        title: 'kinds',
        fields: [
          { name: 'kinds.pointer', label: 'kindPointer' },
          { name: 'kinds.texts', label: 'kindTexts', distinct: 'kinds' },
          { name: 'kinds.receipts', label: 'kindReceipts', distinct: 'kinds' },
        ],
      },
    ],
    flags: {
      url: 'where messages are submitted',
      headers: 'headers of each request as a JSON object; kept encrypted',
      inbound_secret: 'what the carrier signs its posts with, or sends',
    },
  },
})
