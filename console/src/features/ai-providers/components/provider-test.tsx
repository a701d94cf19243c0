import { dataOf } from '@jackfield/sdk'
import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPlugConnected } from '@tabler/icons-react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { Reported } from '../../../design/reported'
import { countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { aiProvidersTexts } from '../texts'

/** Tests the address and the key. */
export function ProviderTest({ id }: { id: string }) {
  const t = useTexts(aiProvidersTexts)
  const trial = useAction({
    run: async () => dataOf(api.POST('/ai-providers/{id}/test', { params: { path: { id } } })),
  })
  const { data } = trial
  return (
    <Card withBorder component="section" aria-label={t('test')}>
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Text c="dimmed" size="sm" style={{ flex: '1 1 240px' }}>
            {t('testHint')}
          </Text>
          <Button
            variant="default"
            leftSection={<IconPlugConnected size={18} aria-hidden />}
            loading={trial.isPending}
            onClick={() => trial.mutate()}
          >
            {t('test')}
          </Button>
        </Group>
        {data &&
          (data.error === null ? (
            <Alert color="green" icon={<IconCheck />} role="status">
              {t('testOk', { model: data.model_id, ms: countOf(data.took_ms) })}
            </Alert>
          ) : (
            <Alert
              color="red"
              icon={<IconAlertTriangle />}
              role="alert"
              title={t('testFailed', { model: data.model_id })}
            >
              <Reported text={data.error} />
            </Alert>
          ))}
      </Stack>
    </Card>
  )
}
