import { Alert, Button, Group, Text } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { useTexts } from '../i18n/texts'
import { leaveEntry } from '../session/leave-entry'
import { shellTexts } from './texts'

/** On every page while the operator is in a workspace. */
export function OperatorBanner() {
  const t = useTexts(shellTexts)
  return (
    <Alert color="grape" radius={0} mb="md" py="xs" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{t('asOperator')}</Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDoorExit size={16} />}
          onClick={() => void leaveEntry()}
        >
          {t('leave')}
        </Button>
      </Group>
    </Alert>
  )
}
