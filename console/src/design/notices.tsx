/** What is said at the edge of the page. What is said before this is loaded waits in its store. */
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export default function Notices() {
  return <Notifications position="bottom-right" limit={4} />
}
