import { Card, Stack, Text, Title } from '@mantine/core'
import { Copyable } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { carriersTexts } from '../texts'

/** URLs that have to be configured at an HTTP carrier, for texts and receipts. */
export function PostAddresses({ id }: { id: string }) {
  const t = useTexts(carriersTexts)
  const address = (of: string) => `${location.origin}/api/v1/carriers/${id}/${of}`
  return (
    <Card withBorder component="section" aria-label={t('posts')}>
      <Title order={2} size="h4" mb="sm">
        {t('posts')}
      </Title>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('postInbound')}
        </Text>
        <Copyable value={address('inbound')} what={t('postInbound')} />
        <Text size="sm" c="dimmed">
          {t('postReceipts')}
        </Text>
        <Copyable value={address('receipts')} what={t('postReceipts')} />
      </Stack>
    </Card>
  )
}
