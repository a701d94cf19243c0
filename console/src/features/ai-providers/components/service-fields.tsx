import { Fieldset } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type SettingField, SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { aiProvidersTexts } from '../texts'
import { type ProviderValues, services } from './provider-values'

interface ServiceFieldsProps {
  form: UseFormReturnType<ProviderValues>
  /** Names of the stored keys. */
  secrets: readonly string[]
}

export function RealtimeFields({ form, secrets }: ServiceFieldsProps) {
  const t = useTexts(aiProvidersTexts)
  const at = (name: string) => `openai_realtime.${name}`
  return (
    <Fieldset legend={t('server')}>
      <SettingFields
        form={form}
        fields={[
          {
            path: at('base_url'),
            label: t('base_url'),
            hint: t('base_urlHint'),
            kind: 'url',
            required: true,
          },
          {
            path: at('protocol'),
            label: t('protocol'),
            kind: 'choice',
            choices: [
              { value: 'ga', label: t('ga') },
              { value: 'beta', label: t('beta') },
            ],
          },
          {
            ...{ path: at('api_key'), label: t('key'), hint: t('keyHint'), kind: 'secret' },
            isKept: secrets.includes('api_key'),
          },
          {
            path: at('transcription_model'),
            label: t('transcription_model'),
            hint: t('transcription_modelHint'),
          },
          { path: at('text_model'), label: t('text_model'), hint: t('text_modelHint') },
          {
            path: at('text_base_url'),
            label: t('text_base_url'),
            hint: t('text_base_urlHint'),
            kind: 'url',
          },
        ]}
      />
    </Fieldset>
  )
}

/** Sample rates that raw audio can be converted from. */
const sampleRates = ['8000', '11025', '12000', '16000', '22050', '24000', '32000', '44100', '48000']

export function ChainFields({ form, secrets }: ServiceFieldsProps) {
  const t = useTexts(aiProvidersTexts)
  const voice = (name: string): SettingField[] => [
    { path: `${name}.voice`, label: t('voice'), hint: t('voiceHint'), required: true },
    {
      ...{ path: `${name}.sample_rate`, label: t('sample_rate'), hint: t('sample_rateHint'), kind: 'choice' },
      choices: sampleRates.map((value) => ({ value, label: `${value} Hz` })),
    },
  ]
  return (
    <>
      {services.map((service) => {
        const name = `cascaded.${service}`
        const isChat = service === 'chat'
        return (
          <Fieldset key={service} legend={t(service)}>
            <SettingFields
              form={form}
              fields={[
                { path: `${name}.base_url`, label: t('base_url'), kind: 'url', required: true },
                {
                  ...{ path: `${name}.model`, label: t('model'), required: !isChat },
                  ...(isChat && { hint: t('chatModelHint') }),
                },
                {
                  ...{ path: `${name}.api_key`, label: t('key'), hint: t('keyHint'), kind: 'secret' },
                  isKept: secrets.includes(`${service}.api_key`),
                },
                ...(service === 'text_to_speech' ? voice(name) : []),
              ]}
            />
          </Fieldset>
        )
      })}
    </>
  )
}
