import { Fieldset, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { settingsTexts } from '../texts'
import type { CarrierValues } from './carrier-values'
import { HeadersField } from './headers-field'
import { NumberFields } from './number-fields'
import { RefusalFields } from './refusal-fields'
import { useSettingWords } from './setting-words'
import { receiptStates } from './words-by-meaning'

interface HttpFieldsProps {
  form: UseFormReturnType<CarrierValues>
  secrets: readonly string[]
}

const sameWords = (...values: string[]) => values.map((value) => ({ value, label: value }))

/** Every setting of an HTTP carrier. */
export function HttpFields(props: HttpFieldsProps) {
  const t = useTexts(settingsTexts)
  const { form } = props
  const { field } = useSettingWords('http')
  const encodings = useSettingWords('http.encodings').field
  return (
    <>
      <Fieldset legend={t('request')}>
        <SettingFields
          form={form}
          fields={[
            { ...field('url'), kind: 'url', required: true },
            { ...field('method'), kind: 'choice', choices: sameWords('POST', 'PUT', 'GET') },
            { ...field('body'), hint: t('bodyHint'), kind: 'text', required: true },
            {
              ...{ ...field('content_type'), kind: 'choice' },
              choices: sameWords('application/json', 'application/x-www-form-urlencoded'),
            },
            { ...field('timeout_seconds'), kind: 'number', required: true },
            { ...encodings('gsm7', 'encodingGsm7'), hint: t('encodingHint') },
            { ...encodings('ucs2', 'encodingUcs2'), hint: t('encodingHint') },
            { ...field('media'), kind: 'flag' },
          ]}
        />
      </Fieldset>
      <HeadersField {...props} />
      <NumberFields form={form} kind="http" />
      <Fieldset legend={t('answer')}>
        <SettingFields
          form={form}
          fields={[
            { ...field('message_id'), hint: t('message_idHint') },
            { ...field('success_statuses'), hint: t('success_statusesHint'), kind: 'tags' },
            { ...field('success_value.pointer', 'successPointer'), hint: t('successPointerHint') },
            { ...field('success_value.values', 'successValues'), kind: 'tags' },
            field('error_code'),
            field('error_message'),
          ]}
        />
      </Fieldset>
      <RefusalFields form={form} kind="http" />
      <PostFields {...props} />
    </>
  )
}

/** How the carrier's posts to us are parsed. */
function PostFields({ form, secrets }: HttpFieldsProps) {
  const t = useTexts(settingsTexts)
  const { choices, field } = useSettingWords('http')
  const inbound = useSettingWords('http.inbound').field
  const kinds = useSettingWords('http.kinds').field
  const receipts = useSettingWords('http.receipts').field
  const words = useSettingWords('http.receipts.words').field
  return (
    <>
      <Fieldset legend={t('inbound')}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('pointersHint')}
          </Text>
          <SettingFields
            form={form}
            fields={[
              {
                ...field('inbound_auth'),
                kind: 'choice',
                choices: choices('signature', 'token', 'twilio', 'telnyx'),
              },
              {
                ...{ ...field('inbound_secret'), hint: t('inbound_secretHint'), kind: 'secret' },
                isKept: secrets.includes('inbound_secret'),
              },
              { ...inbound('from', 'pointerFrom'), required: true },
              { ...inbound('to', 'pointerTo'), required: true },
              { ...inbound('body', 'pointerBody'), required: true },
              inbound('id', 'pointerId'),
              { ...inbound('media', 'mediaPointers'), kind: 'tags' },
              { ...inbound('items', 'itemsTexts'), hint: t('itemsHint') },
              { ...inbound('charset'), hint: t('charsetHint') },
              { ...inbound('part_reference'), hint: t('part_referenceHint') },
              { ...inbound('part'), hint: t('partHint') },
              inbound('parts'),
            ]}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('receipts')}>
        <SettingFields
          form={form}
          fields={[
            { ...receipts('id', 'pointerId'), required: true },
            { ...receipts('status', 'pointerStatus'), required: true },
            { ...receipts('message_id', 'ownId'), hint: t('ownIdHint') },
            receipts('to', 'pointerTo'),
            { ...receipts('items', 'itemsReceipts'), hint: t('itemsHint') },
            receipts('error_code'),
            receipts('error_message'),
            ...receiptStates.map((state) => ({ ...words(state), kind: 'tags' as const })),
          ]}
        />
      </Fieldset>
      <Fieldset legend={t('kinds')}>
        <SettingFields
          form={form}
          fields={[
            { ...kinds('pointer', 'kindPointer'), hint: t('kindPointerHint') },
            { ...kinds('texts', 'kindTexts'), kind: 'tags' },
            { ...kinds('receipts', 'kindReceipts'), kind: 'tags' },
          ]}
        />
      </Fieldset>
    </>
  )
}
