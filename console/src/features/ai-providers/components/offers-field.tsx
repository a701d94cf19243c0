import { TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FormRows } from '../../../design/form-rows'
import { useTexts } from '../../../i18n/texts'
import { aiProvidersTexts } from '../texts'
import { type ProviderValues, newOffer } from './provider-values'

const most = { models: 100, voices: 500 }

/** The models, or the voices, of a provider. */
export function OffersField({
  form,
  of,
}: {
  form: UseFormReturnType<ProviderValues>
  of: 'models' | 'voices'
}) {
  const t = useTexts(aiProvidersTexts)
  const nameOf = (number: number) => t(of === 'models' ? 'modelN' : 'voiceN', { number })
  return (
    <FormRows
      legend={t(of)}
      hint={t('offersHint')}
      count={form.values[of].length}
      least={of === 'models' ? 1 : 0}
      most={most[of]}
      nameOf={nameOf}
      addLabel={t(of === 'models' ? 'addModel' : 'addVoice')}
      onAdd={() => form.insertListItem(of, newOffer)}
      onRemove={(index) => form.removeListItem(of, index)}
    >
      {(index) => (
        <>
          <TextInput
            label={t('offerId')}
            required
            spellCheck={false}
            style={{ flex: '1 1 150px' }}
            {...form.getInputProps(`${of}.${index}.id`)}
          />
          <TextInput
            label={t('offerName')}
            required
            style={{ flex: '1 1 150px' }}
            {...form.getInputProps(`${of}.${index}.name`)}
          />
          <TagsInput
            label={t('languages')}
            style={{ flex: '1 1 150px' }}
            {...form.getInputProps(`${of}.${index}.languages`)}
          />
        </>
      )}
    </FormRows>
  )
}
