import { Fieldset } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { settingsTexts } from '../texts'
import type { CarrierValues } from './carrier-values'
import { NumberFields } from './number-fields'
import { RefusalFields } from './refusal-fields'
import { useSettingWords } from './setting-words'
import { receiptStates } from './words-by-meaning'

const byNumber = (most: number, names: Readonly<Record<number, string>>) =>
  Array.from({ length: most + 1 }, (_, value) => ({
    value: String(value),
    label: names[value] ? `${value} – ${names[value]}` : String(value),
  }))

/** SMPP 3.4, 5.2.5 and 5.2.6. */
const types = byNumber(7, {
  ...{ 0: 'unknown', 1: 'international', 2: 'national', 3: 'network specific' },
  ...{ 4: 'subscriber number', 5: 'alphanumeric', 6: 'abbreviated' },
})
const plans = byNumber(31, {
  ...{ 0: 'unknown', 1: 'ISDN (E.164)', 3: 'data (X.121)', 4: 'telex (F.69)', 6: 'land mobile (E.212)' },
  ...{ 8: 'national', 9: 'private', 10: 'ERMES', 14: 'Internet (IP)', 18: 'WAP client id' },
})

const versions = ['3.3', '3.4', '5.0'].map((value) => ({ value, label: value }))

/** Every setting of an SMPP bind. */
export function SmppFields({
  form,
  secrets,
}: {
  form: UseFormReturnType<CarrierValues>
  secrets: readonly string[]
}) {
  const t = useTexts(settingsTexts)
  const { choices, field } = useSettingWords('smpp')
  const words = useSettingWords('smpp.words').field
  const alphabets = choices('gsm7', 'gsm7_packed', 'latin1', 'ascii', 'utf8', 'ucs2')
  const asItIs = { value: '', label: t('asItIs') }
  return (
    <>
      <Fieldset legend={t('line')}>
        <SettingFields
          form={form}
          fields={[
            { ...field('host'), required: true },
            { ...field('port'), kind: 'number', required: true },
            { ...field('tls'), kind: 'flag' },
            { ...field('tls_server_name'), hint: t('tls_server_nameHint') },
            { ...field('tls_ca'), hint: t('tls_caHint'), kind: 'text' },
            {
              ...field('enquire_link_seconds'),
              ...{ hint: t('enquire_link_secondsHint'), kind: 'number', required: true },
            },
            { ...field('response_timeout_seconds'), kind: 'number', required: true },
          ]}
        />
      </Fieldset>
      <Fieldset legend={t('signIn')}>
        <SettingFields
          form={form}
          fields={[
            { ...field('system_id'), required: true },
            { ...field('password'), kind: 'secret', isKept: secrets.includes('password') },
            { ...field('system_type'), hint: t('system_typeHint') },
            { ...field('bind'), kind: 'choice', choices: choices('transceiver', 'transmitter_receiver') },
            { ...field('interface_version'), kind: 'choice', choices: versions },
            { ...field('address_range'), hint: t('address_rangeHint') },
            { ...field('addr_ton'), kind: 'choice', choices: types },
            { ...field('addr_npi'), kind: 'choice', choices: plans },
          ]}
        />
      </Fieldset>
      <NumberFields
        form={form}
        kind="smpp"
        more={[
          { ...field('source_ton'), kind: 'choice', choices: [asItIs, ...types] },
          { ...field('source_npi'), kind: 'choice', choices: [asItIs, ...plans] },
          { ...field('destination_ton'), kind: 'choice', choices: [asItIs, ...types] },
          { ...field('destination_npi'), kind: 'choice', choices: [asItIs, ...plans] },
          { ...field('short_code_ton'), kind: 'choice', choices: types },
          { ...field('short_code_npi'), kind: 'choice', choices: plans },
        ]}
      />
      <Fieldset legend={t('texts')}>
        <SettingFields
          form={form}
          fields={[
            { ...field('long_messages'), kind: 'choice', choices: choices('udh', 'udh16', 'sar', 'payload') },
            {
              ...{ ...field('gsm7_data_coding'), kind: 'choice' },
              choices: choices('gsm7', 'gsm7_packed', 'latin1', 'ascii'),
            },
            { ...field('inbound_default_data_coding'), kind: 'choice', choices: alphabets },
            { ...field('inbound_ascii_data_coding'), kind: 'choice', choices: alphabets },
            { ...field('inbound_binary_data_coding'), kind: 'choice', choices: alphabets },
            {
              ...{ ...field('inbound_trailing_nul'), kind: 'choice' },
              choices: [
                { value: 'end', label: t('nulEnd') },
                { value: 'text', label: t('nulText') },
              ],
            },
            { ...field('service_type'), hint: t('service_typeHint') },
            { ...field('protocol_id'), kind: 'number', required: true },
            { ...field('priority'), kind: 'number', required: true },
            {
              ...field('validity_seconds'),
              ...{ hint: t('validity_secondsHint'), kind: 'number', required: true },
            },
            { ...field('validity_format'), kind: 'choice', choices: choices('relative', 'absolute') },
          ]}
        />
      </Fieldset>
      <RefusalFields form={form} kind="smpp" />
      <Fieldset legend={t('words')}>
        <SettingFields
          form={form}
          fields={[
            {
              ...field('registered_delivery'),
              ...{ hint: t('registered_deliveryHint'), kind: 'number', required: true },
            },
            ...receiptStates.map((state) => ({ ...words(state), kind: 'tags' as const })),
          ]}
        />
      </Fieldset>
    </>
  )
}
