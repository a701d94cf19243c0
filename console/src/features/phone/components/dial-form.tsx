/** Dials a call. */
import { Alert, Button, Card, Select, Stack, Title } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { e164 } from '../../../api/e164'
import { writtenNumber } from '../../../api/written-number'
import { useApiForm } from '../../../design/forms'
import { useSpacedNumbers } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { MicrophoneError } from '../../../media/microphone'
import { type Destination, destinationNamed } from '../destinations'
import { phone, usePhone } from '../phone'
import { problemOf } from '../phone-problem'
import { callerNumbersQuery } from '../queries'
import { phoneTexts } from '../texts'
import { DestinationField } from './destination-field'
import { Keypad } from './keypad'
import { useRefusals } from './refusals'

/** @param to prefilled number; it is not dialled before a click */
export function DialForm({ to: wanted }: { to: string }) {
  const t = useTexts(phoneTexts)
  const { isBusy, isStarting } = usePhone()
  const { refusalOfCall } = useRefusals()
  const numbers = useQuery(callerNumbersQuery)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<Destination | null>(null)
  const api = useApiForm({
    initialValues: { to: wanted, from: '' },
    send: async ({ to, from }) => {
      setProblem(null)
      try {
        // A link's number, or an extension, is called as it stands.
        const destination = chosen ?? (to === wanted ? undefined : await destinationNamed(to))
        await phone.dial(destination?.target ?? writtenNumber(to), from, destination?.name ?? '')
      } catch (error) {
        if (!(error instanceof MicrophoneError)) throw error
        setProblem(problemOf(error))
      }
    },
    done: '',
  })
  const { form } = api
  const { to } = form.values
  const write = (text: string) => {
    setChosen(null)
    form.setFieldValue('to', text)
  }
  const offered = (numbers.data ?? []).map(({ number }) => e164(number))
  const labels = useSpacedNumbers(offered)
  return (
    <Card withBorder component="section" aria-label={t('callVerb')}>
      <form ref={api.ref} onSubmit={api.submit} noValidate>
        <Stack>
          <Title order={2} size="h4">
            {t('callVerb')}
          </Title>
          {(problem ?? api.problem) && (
            <Alert color="red" role="alert">
              {problem ?? api.problem}
            </Alert>
          )}
          <DestinationField
            label={t('toField')}
            description={t('toHint')}
            error={form.errors['to']}
            text={to}
            onText={write}
            chosen={chosen}
            onChoose={(one) => {
              setChosen(one)
              form.setFieldValue('to', one.name || one.target)
            }}
            suggests={false}
            refusalOf={refusalOfCall}
          />
          <Keypad onPress={(key) => write(`${chosen ? '' : form.getValues().to}${key}`)} />
          {offered.length > 0 && (
            <Select
              label={t('fromNumber')}
              description={t('fromNumberHint')}
              data={[
                { value: '', label: t('oldestNumber') },
                ...offered.map((value, index) => ({ value, label: labels[index] ?? value })),
              ]}
              allowDeselect={false}
              {...form.getInputProps('from')}
            />
          )}
          <Button
            type="submit"
            color="teal.9"
            leftSection={<IconPhone size={18} />}
            loading={isStarting}
            disabled={isBusy}
          >
            {t('callVerb')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
