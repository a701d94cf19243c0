/** Asks for the target of a transfer. */
import { Autocomplete, Checkbox, TextInput } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { FormFrame, FormModal, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { ownTeamsQuery, teammatesQuery } from '../../presence/queries'
import type { Handovers } from '../engine/handover'
import { phoneTexts } from '../texts'

interface Target {
  /** Value for the API. */
  id: string
  /** Label in the list. */
  label: string
}

/** Teams whose members are offered; agents of further teams can be typed. */
const maxTeams = 3

interface HandoverFormProps {
  handovers: Handovers
  onClose: () => void
}

export function HandoverForm({ handovers, onClose }: HandoverFormProps) {
  const t = useTexts(phoneTexts)
  const { colleagues, teams } = useTargets()
  const api = useApiForm({
    initialValues: { target: '', reason: '', consult: false },
    send: async ({ target, reason, consult }) => {
      const written = target.trim()
      const found = [...colleagues, ...teams].find(({ label }) => label === written)
      return handovers.start(found?.id ?? written, {
        consult,
        reason: reason.trim(),
        to: found?.label ?? written,
      })
    },
    onDone: onClose,
    done: '',
    fieldOf: (field) => (field === 'target_username' ? 'target' : field),
  })
  const { form } = api
  return (
    <FormModal title={t('handOverTitle')} opened onClose={onClose} size="md">
      <FormFrame api={api} action={t('handOver')} onCancel={onClose}>
        <Autocomplete
          data-autofocus
          required
          label={t('target')}
          data={[
            { group: t('targetColleagues'), items: colleagues.map(({ label }) => label) },
            { group: t('targetTeams'), items: teams.map(({ label }) => label) },
          ].filter(({ items }) => items.length > 0)}
          {...form.getInputProps('target')}
        />
        <TextInput
          label={t('reason')}
          description={t('reasonHint')}
          maxLength={255}
          {...form.getInputProps('reason')}
        />
        <Checkbox
          label={t('consult')}
          description={t('consultHint')}
          {...form.getInputProps('consult', { type: 'checkbox' })}
        />
      </FormFrame>
    </FormModal>
  )
}

/** Possible targets: available colleagues, and teams. */
function useTargets(): { colleagues: Target[]; teams: Target[] } {
  const own = useQuery(ownTeamsQuery).data?.data ?? []
  const lists = useQueries({ queries: own.slice(0, maxTeams).map(({ id }) => teammatesQuery(id)) })
  const colleagues = new Map<string, Target>()
  for (const { data } of lists) {
    for (const { username, display_name, state } of data?.data ?? []) {
      if (state === 'available')
        colleagues.set(username, { id: username, label: `${display_name} (${username})` })
    }
  }
  return {
    colleagues: [...colleagues.values()].sort((a, b) => a.label.localeCompare(b.label)),
    teams: own.map(({ id, title }) => ({ id, label: title })),
  }
}
