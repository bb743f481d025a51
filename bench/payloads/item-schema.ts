// What an item of the flat payload must be, as schemas of zod: for contestants that check what they take in.
import { z } from 'zod';

export const itemShape = {
  id: z.string(),
  title: z.string().max(200),
  summary: z.string(),
  category: z.string(),
  price: z.number(),
  quantity: z.number(),
  active: z.boolean(),
  owner: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
};
