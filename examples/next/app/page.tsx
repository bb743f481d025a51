export default function Page() {
  return <p>Choose a task.</p>;
}
