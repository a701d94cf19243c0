import { Alert, Anchor, Card, Code, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Answered } from '../../../design/page'
import { StateBadge, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { EvaluationBadge } from '../components/evaluation-badge'
import { sentenceOf } from '../components/rule-text'
import { VoiceAgentFrame } from '../components/voice-agent-frame'
import { type EvaluationDetail, type EvaluationResult, evaluationQuery, voiceAgentQuery } from '../queries'
import { voiceAgentsTexts } from '../texts'

export function EvaluationPage() {
  const t = useTexts(voiceAgentsTexts)
  const { id, evaluationId } = useParams({
    from: '/shell/admin/voice-agents/$id/evaluations/$evaluationId',
  })
  const agent = useQuery(voiceAgentQuery(id))
  const query = useQuery(evaluationQuery(id, evaluationId))
  return (
    <VoiceAgentFrame id={id} name={agent.data?.name} tab="evaluations">
      <Stack maw={860}>
        <Anchor component={Link} to={`/voice-agents/${id}/evaluations`}>
          {t('allEvaluations')}
        </Anchor>
        <Answered query={query}>{(evaluation) => <Results evaluation={evaluation} />}</Answered>
      </Stack>
    </VoiceAgentFrame>
  )
}

function Results({ evaluation }: { evaluation: EvaluationDetail }) {
  const t = useTexts(voiceAgentsTexts)
  const { version, status, total, results, error, created_at } = evaluation
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('evaluationOf', { version })}
      </Title>
      <Group gap="sm" role="status">
        <EvaluationBadge evaluation={evaluation} />
        <Text span c="dimmed">
          <Time at={created_at} />
        </Text>
      </Group>
      {status === 'running' && (
        <Progress
          animated
          value={total === 0 ? 0 : (results.length / total) * 100}
          aria-label={t('played', { count: results.length, total })}
        />
      )}
      {error !== null && (
        <Alert color="red" title={t('notPlayed')}>
          {error}
        </Alert>
      )}
      {evaluation.is_stale && <Alert color="yellow">{t('staleHint')}</Alert>}
      {results.map((result) => (
        <Result key={`${result.script_id ?? ''} ${result.script_name}`} result={result} />
      ))}
    </Stack>
  )
}

function Result({ result }: { result: EvaluationResult }) {
  const t = useTexts(voiceAgentsTexts)
  const { script_name: name, passed, problem, verdicts, transcript } = result
  return (
    <Card withBorder component="section" aria-label={name} padding="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {name}
          </Title>
          <StateBadge tone={passed ? 'good' : 'bad'}>{t(passed ? 'hasPassed' : 'hasFailed')}</StateBadge>
        </Group>
        {problem !== null && <Alert color="red">{problem}</Alert>}
        <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('rules')}>
          {verdicts.map(({ turn, rule, passed: held, seen }, index) => (
            <Group key={index} component="li" gap="xs" wrap="nowrap" align="flex-start">
              {held ? (
                <IconCheck size={18} color="var(--mantine-color-green-6)" aria-label={t('held')} role="img" />
              ) : (
                <IconX size={18} color="var(--mantine-color-red-6)" aria-label={t('notHeld')} role="img" />
              )}
              <div style={{ minWidth: 0 }}>
                <Text style={{ overflowWrap: 'anywhere' }}>
                  {turn === null ? t('wholeCall') : t('answerTo', { number: turn })}: {sentenceOf(t, rule)}
                </Text>
                {!held && seen !== null && (
                  <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {t('seen', { seen })}
                  </Text>
                )}
              </div>
            </Group>
          ))}
        </Stack>
        <Stack gap="xs" role="group" aria-label={t('transcriptOf', { name })}>
          {transcript.map((exchange, index) => (
            <Exchange key={index} exchange={exchange} />
          ))}
        </Stack>
      </Stack>
    </Card>
  )
}

function Exchange({ exchange }: { exchange: EvaluationResult['transcript'][number] }) {
  const t = useTexts(voiceAgentsTexts)
  const { caller, voice_agent: answer, tool_calls: calls, reply_ms: ms } = exchange
  return (
    <Stack gap={4}>
      {caller !== null && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          <Text span fw={600}>
            {t('caller')}:{' '}
          </Text>
          {caller}
        </Text>
      )}
      {calls.map(({ name, arguments: given, answer: got }, index) => (
        <Code key={index} block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {`${name}(${JSON.stringify(given)}) → ${JSON.stringify(got)}`}
        </Code>
      ))}
      {answer !== '' && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          <Text span fw={600}>
            {t('voiceAgent')}:{' '}
          </Text>
          {answer}
          {ms !== null && (
            <Text span size="sm" c="dimmed">
              {' '}
              {t('after', { ms })}
            </Text>
          )}
        </Text>
      )}
    </Stack>
  )
}
