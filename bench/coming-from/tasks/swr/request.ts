export interface Task {
  id: string;
  title: string;
  done: boolean;
}

/** The fetcher of all hooks. */
export async function request(path: string, init?: RequestInit) {
  const response = await fetch(path, init);
  const data = await response.json();
  if (!response.ok) throw new Error(data.detail);
  return data;
}
