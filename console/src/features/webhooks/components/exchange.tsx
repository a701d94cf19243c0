/** Request and response of a delivery, as they went over the wire. */
import { Card, Code, Group, Stack, Text, Title } from '@mantine/core'
import { CopyValue } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { DeliveryDetail } from '../queries'
import { webhooksTexts } from '../texts'

/** Bytes of a body that the API returns. */
const shownBytes = 4_096

export function RequestCard({ request }: { request: DeliveryDetail['request'] }) {
  const t = useTexts(webhooksTexts)
  const { method, url, headers, body } = request
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('request')}
        </Title>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {method} {url}
        </Text>
        <Part title={t('headers')} hint={t('headersHint')} text={lines.join('\n')} />
        <Body text={body} />
      </Stack>
    </Card>
  )
}

export function ResponseCard({ response }: { response: DeliveryDetail['response'] }) {
  const t = useTexts(webhooksTexts)
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('answer')}
        </Title>
        {response ? (
          <>
            <Text size="sm">HTTP {response.status}</Text>
            {response.body && <Body text={response.body} />}
          </>
        ) : (
          <Text c="dimmed">{t('noAnswerYet')}</Text>
        )}
      </Stack>
    </Card>
  )
}

function Body({ text }: { text: string }) {
  const t = useTexts(webhooksTexts)
  const isCut = new TextEncoder().encode(text).length >= shownBytes
  return <Part title={t('body')} hint={isCut ? t('bodyCut') : ''} text={text} shown={readable(text)} />
}

/** @param text what is copied @param shown what is displayed instead */
function Part({
  title,
  hint,
  text,
  shown = text,
}: Record<'title' | 'hint' | 'text', string> & { shown?: string }) {
  return (
    <div>
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={600}>
          {title}{' '}
          <Text span size="xs" c="dimmed">
            {hint}
          </Text>
        </Text>
        <CopyValue value={text} what={title} />
      </Group>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {shown}
      </Code>
    </div>
  )
}

/** JSON is indented; anything else is shown as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
