import { Button, Group, Text } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { callsTexts } from '../texts'

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  shown: number
  total: number
}

export function ShowMore({ query, shown, total }: ShowMoreProps) {
  const t = useTexts(callsTexts)
  if (!query.hasNextPage) return null
  return (
    <Group>
      <Text size="sm" c="dimmed">
        {t('shown', { shown, total })}
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {t('showMore')}
      </Button>
    </Group>
  )
}
