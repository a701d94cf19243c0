import { Button, SimpleGrid } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { phoneTexts } from '../texts'

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

/** The keys of a telephone. */
export function Keypad({ onPress }: { onPress: (key: string) => void }) {
  const t = useTexts(phoneTexts)
  return (
    <SimpleGrid cols={3} spacing={6} verticalSpacing={6} role="group" aria-label={t('keypad')}>
      {keys.map((key) => (
        <Button key={key} variant="default" size="md" px={0} onClick={() => onPress(key)}>
          {key}
        </Button>
      ))}
    </SimpleGrid>
  )
}
