/** All problems of a flow; a click opens the step. */
import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { editorTexts } from '../texts'
import { useEditing } from './editing'
import { inPlace } from './place-words'
import type { Check } from './use-flow-check'

interface ProblemsPanelProps {
  check: Pick<Check, 'answer' | 'again'>
}

export function ProblemsPanel({ check: { answer, again } }: ProblemsPanelProps) {
  const t = useTexts(editorTexts)
  const words = useTexts(common)
  const { problems } = useEditing()
  return (
    <Stack gap="sm">
      {answer === 'failed' && (
        <Alert color="yellow" role="alert">
          <Stack gap="xs" align="flex-start">
            {t(problems.length > 0 ? 'notCheckedAnew' : 'notChecked')}
            <Button size="xs" variant="default" onClick={again}>
              {words('retry')}
            </Button>
          </Stack>
        </Alert>
      )}
      {problems.length > 0 ? (
        <Problems />
      ) : (
        answer !== 'failed' && <Text role="status">{t(answer === 'current' ? 'sound' : 'soundUnknown')}</Text>
      )}
    </Stack>
  )
}

function Problems() {
  const t = useTexts(editorTexts)
  const { problems, edit } = useEditing()
  return (
    <List listStyleType="none" spacing="sm" aria-label={t('problems')}>
      {problems.map(({ step, place, message, isOpen }) => (
        <List.Item key={`${step} ${place} ${message}`}>
          {step === null ? (
            <Text fw={600} size="sm">
              {t('flowProblems')}
            </Text>
          ) : (
            <Anchor
              component="button"
              type="button"
              size="sm"
              fw={600}
              onClick={() => edit({ do: 'select', id: step })}
            >
              {step}
            </Anchor>
          )}
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {inPlace(place, isOpen ? t('stillOpen') : message)}
          </Text>
        </List.Item>
      ))}
    </List>
  )
}
