/** Asks for the target of a transfer. */
import { Alert, Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormFrame, FormModal, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type Destination, destinationNamed } from '../destinations'
import type { Handovers } from '../engine/handover'
import { phoneTexts } from '../texts'
import { DestinationField } from './destination-field'
import { useRefusals } from './refusals'

interface HandoverFormProps {
  handovers: Handovers
  onClose: () => void
}

export function HandoverForm({ handovers, onClose }: HandoverFormProps) {
  const t = useTexts(phoneTexts)
  const { refusalOfTransfer } = useRefusals()
  const [chosen, setChosen] = useState<Destination | null>(null)
  const api = useApiForm({
    initialValues: { target: '', reason: '', consult: false },
    send: async ({ target, reason, consult }) => {
      const written = target.trim()
      const destination = chosen ?? (await destinationNamed(written))
      return handovers.start(destination?.target ?? written, {
        consult,
        reason: reason.trim(),
        to: destination?.name || written,
      })
    },
    onDone: onClose,
    done: '',
    fieldOf: (field) => (field === 'target_username' ? 'target' : field),
  })
  const { form } = api
  const { target, consult } = form.values
  const hasNoFree = consult && chosen?.free_agents === 0
  const withoutConsult = () => {
    form.setFieldValue('consult', false)
    form.clearErrors()
  }
  return (
    <FormModal title={t('handOverTitle')} opened onClose={onClose} size="md">
      <FormFrame api={api} action={t('handOver')} onCancel={onClose}>
        <DestinationField
          data-autofocus
          required
          label={t('target')}
          error={form.errors['target']}
          text={target}
          onText={(text) => {
            setChosen(null)
            form.setFieldValue('target', text)
          }}
          chosen={chosen}
          onChoose={(one) => {
            setChosen(one)
            form.setFieldValue('target', one.name || one.target)
          }}
          suggests
          refusalOf={refusalOfTransfer}
        />
        <Checkbox
          label={t('consult')}
          description={t('consultHint')}
          {...form.getInputProps('consult', { type: 'checkbox' })}
        />
        {hasNoFree && (
          <Alert color="yellow" role="alert">
            <Stack gap="xs" align="flex-start">
              {t('teamHasNoFree', { name: chosen.name })}
              <Button size="xs" variant="default" onClick={withoutConsult}>
                {t('withoutConsult')}
              </Button>
            </Stack>
          </Alert>
        )}
        <TextInput
          label={t('reason')}
          description={t('reasonHint')}
          maxLength={255}
          {...form.getInputProps('reason')}
        />
      </FormFrame>
    </FormModal>
  )
}
