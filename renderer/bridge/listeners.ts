/** Listeners, called in the order in which they were added. */
export interface Listeners<News> {
  /** Answers the function that takes the listener away. */
  add(listener: (news: News) => void): () => void;
  tell(news: News): void;
}

/** Makes an empty list of listeners. */
export function createListeners<News>(): Listeners<News> {
  const listeners = new Set<(news: News) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(news) {
      for (const listener of listeners) listener(news);
    },
  };
}
