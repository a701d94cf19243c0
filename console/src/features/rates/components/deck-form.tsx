import { dataOf } from '@jackfield/sdk'
import { Switch, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { rateDecksKey } from '../../../api/platform'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import type { RateDeck } from '../queries'
import { ratesTexts } from '../texts'

interface DeckFormProps {
  /** Without it a new one is created. */
  deck?: RateDeck
  onDone: (deck: RateDeck) => void
  onCancel: () => void
}

export function DeckForm({ deck, onDone, onCancel }: DeckFormProps) {
  const t = useTexts(ratesTexts)
  const sending = useApiForm({
    initialValues: { title: deck?.title ?? '', is_default: deck?.is_default ?? false },
    send: async (body, changed) =>
      deck
        ? dataOf(
            api.PATCH('/rate-decks/{id}', {
              params: { path: { id: deck.id } },
              body: changed((values) => values),
            }),
          )
        : dataOf(api.POST('/rate-decks', { body })),
    changes: [rateDecksKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} {...(deck ? { onlyChanged: true } : { action: t('add') })} onCancel={onCancel}>
      <TextInput label={t('title')} required maxLength={64} data-autofocus {...form.getInputProps('title')} />
      <Switch
        label={t('makeDefault')}
        description={t('defaultHint')}
        {...form.getInputProps('is_default', { type: 'checkbox' })}
      />
    </FormFrame>
  )
}
