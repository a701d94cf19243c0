import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useTexts } from '../i18n/texts'
import { documentationOf, documentationUrl } from './documentation'
import { shellTexts } from './texts'

/** In the header: the page of the documentation that belongs to what is shown. */
export default function DocumentationLink() {
  const t = useTexts(shellTexts)
  const pathname = useLocation({ select: (location) => location.pathname })
  return (
    <ActionIcon
      component="a"
      href={documentationUrl(documentationOf(pathname))}
      target="_blank"
      rel="noreferrer"
      variant="subtle"
      size="lg"
      radius="xl"
      aria-label={t('documentation')}
      title={t('documentation')}
      visibleFrom="sm"
    >
      <IconHelp size={20} />
    </ActionIcon>
  )
}
